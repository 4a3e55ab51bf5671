export { assumedAnswer, defaultAnswer } from "./choice.ts";
