/** The plans, for a clone whose first build has not made them yet. */
declare module "*/generated/mock/latest.js" {
  export const plan: import("./plan/plan.ts").Plan;
}
declare module "*/generated/mock/test.js" {
  export const plan: import("./plan/plan.ts").Plan;
}
