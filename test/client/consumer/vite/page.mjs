// The fragment of the URL has the addresses of the mock, so that one build works with any addresses.
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
