// A loopback server that answers every request at once with the same disabled voucher, to measure promo's own time.

/** Starts the server; the voucher's code is the requested one. */
export async function constantServer() {
  const http = process.getBuiltinModule('node:http')
  const server = http.createServer((request, response) => {
    request.resume()
    const code = decodeURIComponent(request.url.split('/')[3] ?? '')
    const body = JSON.stringify({ id: 'v_1', code, object: 'voucher', type: 'DISCOUNT_VOUCHER', active: false })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
