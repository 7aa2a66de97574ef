#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <netdb.h>

// Host names are resolved by files and servers of the real world, in none of the world's time.

int getaddrinfo(
    const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict found) {
    if (!vt_inside()) return REAL(getaddrinfo)(node, service, hints, found);
    vt.outside = "getaddrinfo";
    int result = REAL(getaddrinfo)(node, service, hints, found);
    vt.outside = NULL;
    return result;
}

int getnameinfo(
    const struct sockaddr *restrict address, socklen_t size, char *restrict host, socklen_t host_size, char *restrict service,
    socklen_t service_size, int flags) {
    if (!vt_inside()) return REAL(getnameinfo)(address, size, host, host_size, service, service_size, flags);
    vt.outside = "getnameinfo";
    int result = REAL(getnameinfo)(address, size, host, host_size, service, service_size, flags);
    vt.outside = NULL;
    return result;
}
#endif
