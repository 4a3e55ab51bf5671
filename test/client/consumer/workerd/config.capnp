using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (
      name = "worker",
      worker = (
        modules = [(name = "worker", esModule = embed "bundle.js")],
        compatibilityDate = "2026-11-01",
        bindings = [
          (name = "MAIN_URL", fromEnvironment = "MAIN_URL"),
          (name = "DEPOSIT_URL", fromEnvironment = "DEPOSIT_URL"),
        ],
        globalOutbound = "loopback",
      ),
    ),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
