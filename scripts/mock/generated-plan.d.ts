/** The plan, a generated module without declarations. */
declare module "*/generated/mock/plan.js" {
  export const plan: import("./plan/plan.ts").Plan;
}
