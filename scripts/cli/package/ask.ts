import type { Plan } from "../../mock/plan/index.ts";
import { ask, markdownOf } from "../../service/index.ts";
import type { Arguments, Command } from "../kit/arguments.ts";
import { assertKnown, type CommandContext, callerOptions, callOptions, reportOptions } from "./service-options.ts";

export function askCommand(usage: string): Command {
  return {
    usage,
    text: "Answers open questions of the contract with calls, and reports what to change in the contract.\nExit code: 0 no assumption is contradicted, 1 at least one is, 2 a mistake on the command line, 3 the key is refused, a call has no response, or --max-calls is too low.",
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
  parsedArgs: Arguments,
  plan: Plan,
  context: CommandContext,
): Promise<{ text: string; code: number }> {
  const questionIds = plan.probes.questions.map(({ id }) => id);
  const questions = parsedArgs.texts("question").map((id) => assertKnown(questionIds, id, "probe of"));
  const options = { ...callerOptions(parsedArgs, plan, context), questions, mayWrite: parsedArgs.has("write") };
  const result = await ask(options);
  const { isComplete, ...report } = result;
  const text = parsedArgs.requiredText("format") === "json" ? JSON.stringify(report, null, 2) : markdownOf(result);
  const hasContradiction = result.answers.some(({ verdict }) => verdict === "contradicted");
  return { text, code: hasContradiction ? 1 : isComplete ? 0 : 3 };
}
