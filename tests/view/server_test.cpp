// Who may talk to the server.
#include "torsor/view/server.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

#include "torsor/core/error.hpp"
#include "torsor/view/connection.hpp"

namespace torsor::view {
namespace {

const Gate kLocal{"127.0.0.1:80", {"127.0.0.1:80", "localhost:80"}, ""};
const Gate kOpen{"10.0.0.5:80", {}, "secret"};

TEST(Gate, OnLoopbackOnlyItsOwnNamesAndPages) {
  EXPECT_EQ(find_objection(kLocal, "localhost:80", "", "/", false), "");
  EXPECT_EQ(find_objection(kLocal, "localhost:80", "http://localhost:80", "/socket", true), "");
  EXPECT_NE(find_objection(kLocal, "evil.example:80", "", "/", false), "");
  EXPECT_NE(find_objection(kLocal, "", "", "/", false), "");
  EXPECT_NE(find_objection(kLocal, "localhost:80", "http://evil.example", "/socket", true), "");
  EXPECT_NE(find_objection(kLocal, "localhost:80", "null", "/socket", true), "");  // a page from disk
  EXPECT_NE(find_objection(kLocal, "localhost:80", "http://localhost:80", "/other", true), "");
}

TEST(Gate, ElsewhereWithATokenOnly) {
  EXPECT_EQ(find_objection(kOpen, "robot:80", "", "/?token=secret", false), "");
  EXPECT_EQ(find_objection(kOpen, "robot:80", "http://robot:80", "/socket?a=1&token=secret", true), "");
  for (const char* target :
       {"/", "/?token=", "/?token=secre", "/?token=secretx", "/?tokens=secret", "/?x=token=secret"})
    EXPECT_NE(find_objection(kOpen, "robot:80", "", target, false), "") << target;
}

// A page, reduced to its WebSocket.
class Page {
 public:
  explicit Page(const Server& server) : socket_(io_) {
    const std::string url = server.url(), port = url.substr(url.rfind(':') + 1, url.size() - url.rfind(':') - 2);
    boost::asio::ip::tcp::resolver resolver(io_);
    boost::asio::connect(socket_.next_layer(), resolver.resolve("127.0.0.1", port));
    socket_.handshake("127.0.0.1:" + port, "/socket");
  }
  void send(const std::string& text) { socket_.write(boost::asio::buffer(text)); }
  std::string receive() {
    boost::beast::flat_buffer buffer;
    socket_.read(buffer);
    return boost::beast::buffers_to_string(buffer.data());
  }

 private:
  boost::asio::io_context io_;
  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> socket_;
};

TEST(Server, MessagesGoBothWays) {
  std::promise<int> client;
  std::promise<std::string> message;
  Server server(
      {}, {[&](int id) { client.set_value(id); }, [&](int, std::string text) { message.set_value(std::move(text)); }});
  Page page(server);
  const int id = client.get_future().get();
  EXPECT_EQ(server.clients(), 1);
  server.send_text(id, "hello");
  EXPECT_EQ(page.receive(), "hello");
  server.send_scene(id, std::make_shared<const std::string>("abc"));
  EXPECT_EQ(page.receive(), std::string("\1\0\0\0abc", 7));
  server.broadcast_frame("xyz");
  EXPECT_EQ(page.receive(), std::string("\2\0\0\0xyz", 7));
  page.send("question");
  EXPECT_EQ(message.get_future().get(), "question");
}

TEST(Server, ASlowPageGetsTheNewestFrame) {
  std::promise<int> client;
  Server server({}, {[&](int id) { client.set_value(id); }, [](int, std::string) {}});
  Page page(server);
  client.get_future().get();
  // more than the buffers of a connection hold
  for (int i = 0; i < 200; ++i) server.broadcast_frame(std::string(1 << 20, static_cast<char>('a' + i % 26)));
  server.broadcast_frame("last");
  std::string frame;
  int count = 0;
  for (; frame != std::string("\2\0\0\0last", 8); ++count) frame = page.receive();
  EXPECT_LT(count, 200);
}

TEST(Server, EndsWhilePagesAreConnected) {
  std::promise<int> client;
  auto server = std::make_unique<Server>(
      ServerOptions{}, Server::Events{[&](int id) { client.set_value(id); }, [](int, std::string) {}});
  Page page(*server);
  client.get_future().get();
  for (int i = 0; i < 50; ++i) server->broadcast_frame(std::string(1 << 20, 'x'));
  server.reset();
  EXPECT_ANY_THROW({
    while (true) page.receive();
  });
}

TEST(Server, HasATokenUnlessItIsOnLoopback) {
  const Server local({}, {[](int) {}, [](int, std::string) {}});
  EXPECT_EQ(local.url().find("token"), std::string::npos);
  EXPECT_EQ(local.url().rfind("http://127.0.0.1:", 0), 0u);
  const Server open({"0.0.0.0", 0, ""}, {[](int) {}, [](int, std::string) {}});
  EXPECT_NE(open.url().find("/?token="), std::string::npos);
}

TEST(Server, SaysWhyItCannotListen) {
  const Server first({}, {[](int) {}, [](int, std::string) {}});
  const std::string url = first.url();
  const int port = std::stoi(url.substr(url.rfind(':') + 1));
  EXPECT_THROW(Server({"127.0.0.1", port, ""}, {}), Error);
  EXPECT_THROW(Server({"nowhere", 0, ""}, {}), Error);
  EXPECT_THROW(Server({"127.0.0.1", 70000, ""}, {}), Error);
  EXPECT_THROW(Server({"127.0.0.1", 0, "a&b"}, {}), Error);
}

}  // namespace
}  // namespace torsor::view
