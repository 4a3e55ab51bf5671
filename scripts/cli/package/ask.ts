import type { Plan } from "../../mock/plan/index.ts";
import { ask, markdownOf } from "../../service/index.ts";
import type { Arguments, Command } from "../kit/arguments.ts";
import { assertKnown, type CommandContext, callerOptions, callOptions, reportOptions } from "./service-options.ts";

export function askCommand(usage: string): Command {
  return {
    usage,
    text: "Answers open questions of the contract with calls, and reports what to change in the contract.\nExit code: 0 no assumption is contradicted, 1 at least one is, 2 a mistake on the command line, 3 the key is refused or a call has no response.",
    options: [
      ...callOptions,
      {
        name: "question",
        value: "ID",
        text: "ask this question only",
        isRepeatable: true,
        defaultText: "all with a probe",
      },
      { name: "write", text: "also make calls that change data; with --environment staging, or on this machine" },
      ...reportOptions("markdown", "json"),
    ],
    examples: [["--environment staging --set externalUserId=user-1042", "reads of one user"]],
  };
}

export async function runAsk(
  given: Arguments,
  plan: Plan,
  about: CommandContext,
): Promise<{ text: string; code: number }> {
  const known = plan.probes.questions.map(({ id }) => id);
  const questions = given.texts("question").map((id) => assertKnown(known, id, "probe of"));
  const options = { ...callerOptions(given, plan, about), questions, allowsWrites: given.has("write") };
  const asked = await ask(options);
  const text = given.required("format") === "json" ? JSON.stringify(asked.answers, null, 2) : markdownOf(asked);
  const isContradicted = asked.answers.some(({ verdict }) => verdict === "contradicted");
  return { text, code: isContradicted ? 1 : asked.isComplete ? 0 : 3 };
}
