/** Declares the type of `generated/mock/plan.js`, which is generated without declarations. */
declare module "*/generated/mock/plan.js" {
  export const plan: import("./plan/plan.ts").Plan;
}
