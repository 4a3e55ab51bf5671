export { type Answers, assumedAnswer, checkAnswers, defaultAnswer, worldsOf } from "./choice.ts";
