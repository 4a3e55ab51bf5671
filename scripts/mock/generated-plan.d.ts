/** `generated/mock/plan.js` is generated without declarations. */
declare module "*/generated/mock/plan.js" {
  export const plan: import("./plan/plan.ts").Plan;
}
