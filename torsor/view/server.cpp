// The listener and the list of clients; one connection is in connection.cpp.
#include "torsor/view/server.hpp"

#include <array>
#include <atomic>
#include <random>
#include <thread>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <fmt/format.h>

#include "torsor/core/error.hpp"
#include "torsor/view/connection.hpp"

namespace torsor::view {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Code = boost::system::error_code;

constexpr size_t kMostClients = 32;
constexpr const char* kTokenLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string random_token() {
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
  std::random_device device;
  std::string token;
  for (int i = 0; i < 24; ++i) token += kLetters[device() % kLetters.size()];
  return token;
}

asio::ip::address parse_address(const std::string& text) {
  Code code;
  const auto address = asio::ip::make_address(text == "localhost" ? "127.0.0.1" : text, code);
  if (code)
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("'{}' is not an address", text),
                            "such as 127.0.0.1, or 0.0.0.0 for all of this machine"}});
  return address;
}

}  // namespace

class Server::Hub : public ConnectionOwner {
 public:
  Hub(const ServerOptions& options, Events events) : events_(std::move(events)), acceptor_(io_) {
    const asio::ip::address address = parse_address(options.address);
    if (options.port < 0 || options.port > 65535) throw Error(fmt::format("{} is not a port", options.port));
    if (options.token.find_first_not_of(kTokenLetters) != std::string::npos)
      throw Error("a token has letters, digits, '-' and '_' only: it is part of an address");
    gate_.token = !options.token.empty() ? options.token : address.is_loopback() ? "" : random_token();
    listen(tcp::endpoint(address, static_cast<unsigned short>(options.port)));
    const tcp::endpoint bound = acceptor_.local_endpoint();
    const std::string name = address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
    gate_.host = fmt::format("{}:{}", name, bound.port());
    if (address.is_loopback())
      gate_.hosts = {gate_.host, fmt::format("localhost:{}", bound.port()), fmt::format("127.0.0.1:{}", bound.port())};
    accept();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~Hub() override {
    io_.stop();
    thread_.join();
    for (auto& client : clients_) client.second->abandon();
  }

  std::string url() const {
    return fmt::format("http://{}/{}", gate_.host, gate_.token.empty() ? "" : "?token=" + gate_.token);
  }
  int count() const { return open_; }

  // Runs on the thread of the server.
  template <class F>
  void post(F&& f) {
    asio::post(io_, std::forward<F>(f));
  }
  template <class F>
  void for_each(F&& f) {
    const auto clients = clients_;  // a send may end a connection
    for (const auto& client : clients) f(*client.second);
  }
  void to(Client client, const std::function<void(Connection&)>& f) {
    if (const auto found = clients_.find(client); found != clients_.end()) f(*found->second);
  }

  // ConnectionOwner
  const Gate& gate() const override { return gate_; }
  bool has_room() const override { return clients_.size() < kMostClients; }
  int opened(std::shared_ptr<Connection> connection) override {
    const int id = ++last_;
    clients_[id] = std::move(connection);
    open_ = static_cast<int>(clients_.size());
    events_.opened(id);
    return id;
  }
  void closed(int client) override {
    clients_.erase(client);
    open_ = static_cast<int>(clients_.size());
  }
  void message(int client, std::string text) override { events_.message(client, std::move(text)); }

 private:
  void listen(const tcp::endpoint& endpoint) {
    Code code;
    acceptor_.open(endpoint.protocol(), code);
    if (!code) acceptor_.set_option(asio::socket_base::reuse_address(true), code);
    if (!code) acceptor_.bind(endpoint, code);
    if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
    if (!code) return;
    const std::string where = fmt::format("{} port {}", endpoint.address().to_string(), endpoint.port());
    throw Error({Diagnostic{Severity::kError,
                            {},
                            fmt::format("cannot listen on {}: {}", where, code.message()),
                            "choose another port, or 0 for any that is free"}});
  }

  void accept() {
    acceptor_.async_accept([this](Code code, tcp::socket socket) {
      if (code == asio::error::operation_aborted) return;
      if (!code) start_connection(std::move(socket), *this);
      accept();
    });
  }

  Events events_;
  Gate gate_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  std::map<Client, std::shared_ptr<Connection>> clients_;
  Client last_ = 0;
  std::atomic<int> open_ = 0;
  std::thread thread_;
};

Server::Server(const ServerOptions& options, Events events) : hub_(std::make_unique<Hub>(options, std::move(events))) {}

Server::~Server() = default;

std::string Server::url() const { return hub_->url(); }
int Server::clients() const { return hub_->count(); }

void Server::send_text(Client client, std::string text) {
  hub_->post([hub = hub_.get(), client, text = std::make_shared<const std::string>(std::move(text))] {
    hub->to(client, [&](Connection& connection) { connection.send_text(text); });
  });
}

void Server::broadcast_text(std::string text) {
  hub_->post([hub = hub_.get(), text = std::make_shared<const std::string>(std::move(text))] {
    hub->for_each([&](Connection& connection) { connection.send_text(text); });
  });
}

void Server::send_scene(Client client, std::shared_ptr<const std::string> scene) {
  hub_->post([hub = hub_.get(), client, scene = std::move(scene)] {
    hub->to(client, [&](Connection& connection) { connection.send_scene(scene); });
  });
}

void Server::broadcast_scene(std::shared_ptr<const std::string> scene) {
  hub_->post([hub = hub_.get(), scene = std::move(scene)] {
    hub->for_each([&](Connection& connection) { connection.send_scene(scene); });
  });
}

void Server::broadcast_frame(std::string frame) {
  hub_->post([hub = hub_.get(), frame = std::make_shared<const std::string>(std::move(frame))] {
    hub->for_each([&](Connection& connection) { connection.send_frame(frame); });
  });
}

}  // namespace torsor::view
