// Serves the page and talks to it: HTTP and WebSocket on one port, on a thread of its own.
//
// Who may talk to it: by default it binds to loopback. The Host of every request must be the address that it was given,
// which keeps out pages that reach this machine under another name; the Origin of a WebSocket must be the page itself.
// On another address than loopback every request needs a token. Messages, connections and queues are bounded.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace torsor::view {

struct ServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;       // 0: any that is free
  std::string token;  // empty: none on loopback, a random one elsewhere
};

class Server {
 public:
  using Client = int;
  // Called on the server's thread.
  struct Events {
    std::function<void(Client)> opened;
    std::function<void(Client, std::string)> message;
  };

  // Starts to listen. Throws Error for an address that is not one, or a port that is in use.
  Server(const ServerOptions& options, Events events);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // "http://127.0.0.1:41234/", with the token if there is one.
  std::string url() const;
  int clients() const;

  // From any thread. Texts and scenes arrive all and in order; of frames a slow page gets the newest only.
  void send_text(Client client, std::string text);
  void broadcast_text(std::string text);
  void send_scene(Client client, std::shared_ptr<const std::string> scene);
  void broadcast_scene(std::shared_ptr<const std::string> scene);
  void broadcast_frame(std::string frame);

 private:
  class Hub;
  std::unique_ptr<Hub> hub_;
};

}  // namespace torsor::view
