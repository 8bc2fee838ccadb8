// A loopback server in a process of its own that lists a million precomputed transactions, 100 a page, to measure the
// reader's own time. Prints its address; ends with its parent.
const count = Number(process.argv[2])
const rest = JSON.stringify({
  source_id: null,
  voucher_id: 'v_000000000000000001',
  campaign_id: 'camp_000000000000001',
  source: 'API',
  reason: 'Welcome to the club',
  type: 'POINTS_ADDITION',
  details: {
    balance: {
      type: 'loyalty_card',
      total: 100,
      object: 'balance',
      points: 10,
      balance: 100,
      operation_type: 'MANUAL',
      related_object: { id: 'v_000000000000000001', type: 'voucher' },
    },
  },
  related_transaction_id: null,
  created_at: '2026-01-15T12:00:00.000Z',
}).slice(1)
/** Each row has an id of its own: a reader shows one that comes again only once. */
const page = (from) =>
  Array.from({ length: 100 }, (_, at) => `{"id":"vtx_${String(from + at).padStart(18, '0')}",${rest}`).join(',')

const http = process.getBuiltinModule('node:http')
const server = http.createServer((request, response) => {
  const cursor = new URL(request.url, 'http://here').searchParams.get('starting_after_id')
  const from = Number(cursor ?? 0)
  const next = from + 100
  const more = next < count ? `true,"more_starting_after":"${next}"` : 'false'
  const body = `{"object":"list","data_ref":"data","data":[${page(from)}],"has_more":${more}}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`))
process.stdin.on('end', () => server.close()).resume()
