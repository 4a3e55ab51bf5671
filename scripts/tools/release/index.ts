export { makeArtifacts, makeRelease, setNextVersion } from "./release.ts";
