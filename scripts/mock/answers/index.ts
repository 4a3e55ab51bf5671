export { type Answers, assumedAnswer, checkAnswers, defaultAnswer } from "./choice.ts";
