export { formNames, formOf } from "./forms.ts";
export { lineOf, positionOf, positionText, reportedPosition } from "./line-of.ts";
export {
  type ControlBody,
  type ControlOperation,
  type ControlParameter,
  type ExternalEventExample,
  type MockControl,
  type PreparingCall,
  readMockControl,
  triggerOperation,
} from "./mock-control.ts";
export { assumeForms, fixedMembersIn, partsOfMock } from "./mock-form.ts";
export { type MockValues, readMockValues } from "./mock-values.ts";
export { type Publication, readPublication, readSampleValues, type SampleValues } from "./publication.ts";
export { type Publishing, readPublishing } from "./publishing.ts";
export { parseYaml, readYaml } from "./read-yaml.ts";
export { readRedoclyConfig } from "./redocly-config.ts";
export { formOfAnswer, type RunnableAnswers, readRunnableAnswers } from "./runnable-answers.ts";
export { diskFiles, type SourceFiles } from "./source-files.ts";
export { Sources, type UnreadableFile } from "./sources.ts";
export { allAreas, readStatementSources, type StatementSource, sectionsOf } from "./statement-sources.ts";
export { compileErrorOf, violationsOf } from "./validation.ts";
export { mapOf, mapWith, RefusedValue, text, textList } from "./value-of-form.ts";
export { toViolation, type Violation } from "./violations.ts";
