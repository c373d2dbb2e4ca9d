// HTTP and WebSocket by Boost.Beast. Everything runs on the server's thread.
#include "torsor/view/connection.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "torsor/view/page.hpp"

namespace torsor::view {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = boost::asio::ip::tcp;
using Code = beast::error_code;

constexpr size_t kLongestMessage = size_t{64} << 20;  // a model that was dropped, as base64
constexpr size_t kLongestHeader = 16 << 10;
constexpr size_t kMostQueued = 256;  // texts that a page has not taken: it has stalled for good
constexpr auto kPatience = std::chrono::seconds(30);
enum Kind : char { kText = 0, kScene = 1, kFrame = 2 };

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

// The value of token=... in a query.
std::string_view token_of(std::string_view target) {
  const size_t query = target.find('?');
  if (query == target.npos) return {};
  std::string_view rest = target.substr(query + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    if (part.starts_with("token=")) return part.substr(6);
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  }
  return {};
}

// Takes as long for a wrong token as for a right one.
bool is_same(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) difference |= static_cast<unsigned>(a[i] ^ b[i]);
  return difference == 0;
}

class Socket : public Connection, public std::enable_shared_from_this<Socket> {
 public:
  Socket(tcp::socket socket, ConnectionOwner& owner) : stream_(std::move(socket)), owner_(&owner) {}

  template <class Request>
  void start(const Request& request) {
    stream_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    stream_.read_message_max(kLongestMessage);
    stream_.async_accept(request, [self = shared_from_this()](Code code) {
      if (code || !self->owner_) return;
      self->client_ = self->owner_->opened(self);
      self->read();
    });
  }

  void send_text(Bytes text) override { queue(kText, std::move(text)); }
  void send_scene(Bytes scene) override { queue(kScene, std::move(scene)); }
  void send_frame(Bytes frame) override {
    frame_ = std::move(frame);  // one that was not sent yet is out of date
    write();
  }
  void abandon() override {
    owner_ = nullptr;
    Code ignored;
    beast::get_lowest_layer(stream_).socket().close(ignored);
  }

 private:
  struct Message {
    Kind kind;
    Bytes bytes;
  };

  void queue(Kind kind, Bytes bytes) {
    if (kind == kScene) frame_.reset();  // it would be one of the model before
    queue_.push_back({kind, std::move(bytes)});
    if (queue_.size() > kMostQueued) return end();
    write();
  }

  void read() {
    stream_.async_read(input_, [self = shared_from_this()](Code code, size_t) {
      if (code || !self->owner_) return self->end();
      if (self->stream_.got_text()) self->owner_->message(self->client_, beast::buffers_to_string(self->input_.data()));
      self->input_.consume(self->input_.size());
      self->read();
    });
  }

  // One write at a time; texts and scenes before frames.
  void write() {
    if (is_writing_ || !owner_) return;
    if (!queue_.empty()) {
      writing_ = queue_.front();
      queue_.pop_front();
    } else if (frame_) {
      writing_ = {kFrame, std::move(frame_)};
      frame_.reset();
    } else {
      return;
    }
    is_writing_ = true;
    kind_[0] = writing_.kind;
    stream_.text(writing_.kind == kText);
    const auto done = [self = shared_from_this()](Code code, size_t) {
      self->is_writing_ = false;
      if (code) return self->end();
      self->write();
    };
    if (writing_.kind == kText) return stream_.async_write(boost::asio::buffer(*writing_.bytes), done);
    // four bytes that say what it is, so that what follows stays aligned
    stream_.async_write(
        std::array<boost::asio::const_buffer, 2>{boost::asio::buffer(kind_), boost::asio::buffer(*writing_.bytes)},
        done);
  }

  void end() {
    if (!owner_) return;
    ConnectionOwner* owner = owner_;
    abandon();
    owner->closed(client_);
  }

  websocket::stream<beast::tcp_stream> stream_;
  ConnectionOwner* owner_;
  int client_ = 0;
  beast::flat_buffer input_;
  std::deque<Message> queue_;
  Bytes frame_;
  Message writing_{};
  char kind_[4] = {0, 0, 0, 0};
  bool is_writing_ = false;
};

// Reads one request, and answers it or becomes a Socket.
class Request : public std::enable_shared_from_this<Request> {
 public:
  Request(tcp::socket socket, ConnectionOwner& owner) : stream_(std::move(socket)), owner_(owner) {
    parser_.header_limit(kLongestHeader);
    parser_.body_limit(0);
  }

  void start() {
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](Code code, size_t) {
      if (!code) self->answer();
    });
  }

 private:
  void answer() {
    const auto& request = parser_.get();
    const auto text = [](beast::string_view view) { return std::string_view(view.data(), view.size()); };
    const bool is_socket = websocket::is_upgrade(request);
    const std::string_view target = text(request.target());
    const std::string objection = find_objection(owner_.gate(), text(request[http::field::host]),
                                                 text(request[http::field::origin]), target, is_socket);
    if (!objection.empty()) return reply(http::status::forbidden, "text/plain", objection + "\n");
    if (is_socket) {
      if (!owner_.has_room()) return reply(http::status::service_unavailable, "text/plain", "too many pages\n");
      stream_.expires_never();
      return std::make_shared<Socket>(stream_.release_socket(), owner_)->start(request);
    }
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return reply(http::status::method_not_allowed, "text/plain", "only GET\n");
    if (path_of(target) != "/") return reply(http::status::not_found, "text/plain", "nothing here\n");
    reply(http::status::ok, "text/html; charset=utf-8", std::string(page()));
  }

  void reply(http::status status, const char* type, std::string body) {
    response_.emplace(status, parser_.get().version());
    response_->set(http::field::content_type, type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("X-Frame-Options", "DENY");
    response_->set("Referrer-Policy", "no-referrer");
    response_->keep_alive(false);
    response_->body() = parser_.get().method() == http::verb::head ? "" : std::move(body);
    response_->prepare_payload();
    http::async_write(stream_, *response_, [self = shared_from_this()](Code, size_t) {
      Code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  ConnectionOwner& owner_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  std::optional<http::response<http::string_body>> response_;
};

}  // namespace

std::string find_objection(const Gate& gate, std::string_view host, std::string_view origin, std::string_view target,
                           bool is_socket) {
  if (!gate.hosts.empty() && std::find(gate.hosts.begin(), gate.hosts.end(), host) == gate.hosts.end())
    return "this server is called " + gate.host;
  if (!gate.token.empty() && !is_same(token_of(target), gate.token))
    return "the token is missing or wrong: open the address that the viewer printed";
  // a browser always says where a script comes from; other programs have no page to protect
  if (is_socket && !origin.empty() && origin != "http://" + std::string(host)) return "this page may not connect";
  if (is_socket && path_of(target) != "/socket") return "there is no socket here";
  return {};
}

void start_connection(tcp::socket socket, ConnectionOwner& owner) {
  std::make_shared<Request>(std::move(socket), owner)->start();
}

}  // namespace torsor::view
