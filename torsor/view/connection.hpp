// One connection of a browser: a request for the page, or a WebSocket.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

namespace torsor::view {

// Who may come in.
struct Gate {
  std::string host;                // "127.0.0.1:41234"
  std::vector<std::string> hosts;  // names by which it may be called; empty: any, since the token protects it
  std::string token;               // empty: none is asked for
};

// What is wrong with a request, "" if nothing is: its Host, its Origin (empty for those that have none) and its target.
std::string find_objection(const Gate& gate, std::string_view host, std::string_view origin, std::string_view target,
                           bool is_socket);

class Connection {
 public:
  virtual ~Connection() = default;
  using Bytes = std::shared_ptr<const std::string>;
  virtual void send_text(Bytes text) = 0;
  virtual void send_scene(Bytes scene) = 0;
  virtual void send_frame(Bytes frame) = 0;
  // The server ends: nothing of it may be used any more.
  virtual void abandon() = 0;
};

class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  virtual const Gate& gate() const = 0;
  virtual bool has_room() const = 0;
  virtual int opened(std::shared_ptr<Connection> connection) = 0;
  virtual void closed(int client) = 0;
  virtual void message(int client, std::string text) = 0;
};

void start_connection(boost::asio::ip::tcp::socket socket, ConnectionOwner& owner);

}  // namespace torsor::view
