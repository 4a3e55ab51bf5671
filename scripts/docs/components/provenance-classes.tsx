/** The four classes of provenance, with their meanings. */
import { provenances } from "../../contract/index.ts";
import { ProvenanceMark, provenanceWords } from "./marks.tsx";

export function ProvenanceClasses() {
  return (
    <table class="classes">
      <thead>
        <tr>
          <th scope="col">Mark</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {provenances.map((provenance) => (
          <tr key={provenance}>
            <td>
              <ProvenanceMark provenance={provenance} />
            </td>
            <td>{provenanceWords[provenance].meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
