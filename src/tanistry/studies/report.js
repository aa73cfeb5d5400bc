// Shows one setting at a time. Without a script all of them stand below each other.
const settings = [...document.querySelectorAll("section.setting")];
const choices = document.querySelector(".choices");
function show(number) {
  settings.forEach((section, i) => { section.hidden = i !== number; });
  choices.querySelectorAll("button").forEach((button, i) => {
    button.setAttribute("aria-pressed", String(i === number));
  });
}
if (choices && settings.length > 1) {
  choices.hidden = false;
  choices.querySelectorAll("button").forEach((button, i) => {
    button.addEventListener("click", () => show(i));
  });
  show(0);
}
