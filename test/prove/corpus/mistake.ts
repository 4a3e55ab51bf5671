/** A common mistake, as a change of a correct program, with the run that finds it. */
import type { Change, Language } from "../support.ts";

export interface Mistake {
  readonly program: "payouts" | "treasury" | "onboarding" | "receiver";
  readonly language: Language;
  readonly name: string;
  readonly changes: readonly Change[];
  /** A value of `--only` under which it is found. */
  readonly by: string;
}

export type PlantedMistake = Omit<Mistake, "program" | "language">;

export function mistakesOf(
  program: Mistake["program"],
  language: Language,
  planted: readonly PlantedMistake[],
): readonly Mistake[] {
  return planted.map((mistake) => ({ program, language, ...mistake }));
}
