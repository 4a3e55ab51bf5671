/** The request body of an operation. */
import { type Marks, markOn, type Operation, weakest } from "../../contract/index.ts";
import { Examples } from "./answers.tsx";
import { WeakerMark } from "./effects.tsx";
import { SchemaFields } from "./fields.tsx";

/** The bodies of an operation, each with its fields. Its examples are in the samples, unless they have marks of their own. */
export function RequestBodySection({ operation: { requestBody, provenance = "proposed" } }: { operation: Operation }) {
  if (requestBody === undefined) return null;
  const { bodies, required, place } = requestBody;
  const own = weakest(provenance, markOn(place), markOn(place.target));
  return (
    <>
      {bodies.map(({ mediaType, schema, partTypes, examples }, index) => (
        <div key={mediaType} class="body">
          <p class="media-type">
            <code>{mediaType}</code>
            {!required && ", optional"} <WeakerMark provenance={own} than={provenance} />
          </p>
          <SchemaFields
            schema={schema}
            id={index === 0 ? "request" : `request-${index + 1}`}
            enclosing={own}
            than={provenance}
            partTypes={partTypes}
            isSent
          />
          <Examples
            examples={examples.filter(({ place: example }) => {
              const { value } = example.target;
              return markOn(example.target) !== undefined || ((value ?? {}) as Marks)["x-open-questions"] !== undefined;
            })}
            mediaType={mediaType}
            enclosing={own}
            isOpen
          />
        </div>
      ))}
    </>
  );
}
