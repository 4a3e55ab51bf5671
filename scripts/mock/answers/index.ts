export { type Answers, assumedAnswer, changesOfAnswers, checkAnswers, defaultAnswer } from "./choice.ts";
