// Answers requests about games, one line of JSON each, until its input ends. A request names the
// script and the question; what a script throws is answered, too, so that the next can be asked.
import { createInterface } from "node:readline";
import * as engine from "./engine.mjs";
import * as kernels from "./kernels.mjs";

const scripts = { engine, kernels };

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  try {
    answer = { answer: await scripts[request.script][request.ask](request) };
  } catch (wrong) {
    answer = { wrong: wrong.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
