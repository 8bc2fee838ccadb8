/**
 * Says whether a host is a literal name of this computer: `localhost`, `[::1]` or an address of 127.0.0.0/8.
 *
 * As it is written, too: 0x7f.1 and 127.1 are the same address to a URL parser, but a reader cannot tell.
 */
export function isLoopback(host: string): boolean {
  return /^(localhost|\[::1\]|127(\.(0|[1-9][0-9]{0,2})){3})$/i.test(host)
}
