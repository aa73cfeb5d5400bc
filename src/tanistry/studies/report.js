// Shows one setting at a time. Without a script all of them stand below each other.
const settings = [...document.querySelectorAll("section.setting")];
const choices = document.querySelector(".choices");
const links = [...document.querySelectorAll("nav a")];
const targets = links.map((link) => link.hash);
function show(number) {
  settings.forEach((section, i) => { section.hidden = i !== number; });
  choices.querySelectorAll("button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === number));
  });
  links.forEach((link, i) => {
    const there = `${targets[i]}-${number}`;
    link.setAttribute("href", document.querySelector(there) ? there : targets[i]);
  });
}
// The part that is being read stays where it is when another setting is chosen.
function turnTo(number) {
  const heads = [...document.querySelectorAll("section.setting:not([hidden]) h2")];
  const read = heads.findLastIndex((head) => head.getBoundingClientRect().top < innerHeight / 3);
  const before = read < 0 ? 0 : heads[read].getBoundingClientRect().top;
  show(number);
  if (read < 0) return;
  const head = settings[number].querySelectorAll("h2")[read];
  if (head) scrollBy(0, head.getBoundingClientRect().top - before);
}
if (choices && settings.length > 1) {
  choices.hidden = false;
  choices.querySelectorAll("button").forEach((button, i) => {
    button.addEventListener("click", () => turnTo(i));
  });
  show(0);
}
