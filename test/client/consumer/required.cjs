const assert = require("node:assert/strict");
const { sep } = require("node:path");
const { callService, receiveWebhook } = require("./calls.cjs");

const { MAIN_URL: mainUrl, DEPOSIT_URL: depositUrl } = process.env;
callService({ mainUrl, depositUrl })
  .then(receiveWebhook)
  .then(() => {
    const inPackage = ["", "node_modules", "partner-wallet-api", ""].join(sep);
    const commonJs = `${inPackage}${["dist", "cjs", ""].join(sep)}`;
    const loaded = Object.keys(require.cache).filter((file) => file.includes(inPackage));
    assert.ok(loaded.length > 10);
    assert.deepEqual(
      loaded.filter((file) => !file.includes(commonJs)),
      [],
    );
    console.log("Everything worked.");
  });
