// Loaded into the servers that the bench measures, before their program: see mock-server.ts.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
// Also when the bench was killed.
process.once("disconnect", () => process.exit());
