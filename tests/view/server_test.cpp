// Who may talk to the server.
#include "torsor/view/server.hpp"

#include <gtest/gtest.h>

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
