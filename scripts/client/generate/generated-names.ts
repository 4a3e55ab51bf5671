export interface GeneratedNames {
  readonly declared: readonly string[];
  readonly exported: readonly string[];
  readonly imported: readonly { readonly name: string; readonly from: string }[];
}

/** Each declaration of a generated file begins a line. Parsing the files would take a fifth of the time of generating them. */
export function namesIn(generatedText: string): GeneratedNames {
  const declarations = [
    ...generatedText.matchAll(/^(export )?(?:interface|type|const|function) ([\p{ID_Continue}$]+)/gmu),
  ];
  const imports = generatedText.matchAll(/^import (?:type )?(?:\* as (.+)|\{ (.+) \}) from "(.+)";$/gm);
  return {
    declared: declarations.map(([, , name = ""]) => name),
    exported: declarations.flatMap(([, exportWord, name = ""]) => (exportWord === undefined ? [] : [name])),
    imported: [...imports].flatMap(([, namespace, names = "", from = ""]) =>
      (namespace === undefined ? names.split(", ") : [namespace]).map((name) => ({ name, from })),
    ),
  };
}
