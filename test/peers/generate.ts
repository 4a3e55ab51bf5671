/** `node --import tsx test/peers/generate.ts <bundle> <folder>` writes clients of hey-api and kubb into the folder (`npm run bench`). */
import { generateWithHeyApi, generateWithKubb } from "./generators.ts";

const [input = "", folder = ""] = process.argv.slice(2);
await generateWithHeyApi(input, `${folder}/hey-api`);
await generateWithKubb(input, `${folder}/kubb`);
