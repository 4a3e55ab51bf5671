// The addresses come in the fragment, so that one build serves every address.
import { callService } from "../calls.mjs";

const [mainUrl, depositUrl] = decodeURIComponent(location.hash.slice(1)).split(" ");
const output = document.querySelector("output");
callService({ mainUrl, depositUrl }).then(
  () => {
    output.textContent = "Everything worked.";
  },
  (error) => {
    output.textContent = String(error);
  },
);
