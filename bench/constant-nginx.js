// nginx as the constant service: one worker that confirms every disable and enable with the same voucher under the requested
// code.
// It answers some six times as fast as any client here sends requests, so the client is measured.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

// Debian keeps it in a folder that is not on every PATH.
const programs = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx']

/** Returns whether nginx is installed. */
export function hasNginx() {
  return programs.some((program) => existsSync(program))
}

/**
 * Starts nginx on a free port of loopback, or the given one, with its files in the folder.
 *
 * `changedAt` is a file with a line for each voucher: when it was changed (`CODE "ISO 8601";`). Otherwise the call that is answered changed it.
 * `mark()` records how many requests were answered so far; `since(mark)` waits for the log and returns how many came after
 * it, with the times of the first and the last in Unix seconds; `after(count)` resolves when that many were answered.
 */
export async function constantNginx(folder, { port = 0, changedAt } = {}) {
  port ||= await freePort()
  const log = join(folder, 'requests.log')
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configuration({ folder, port, log, changedAt }))
  const program = programs.find((candidate) => existsSync(candidate))
  const args = ['-p', folder, '-c', config, '-e', join(folder, 'error.log')]
  const tested = spawnSync(program, [...args, '-t'], { encoding: 'utf8' })
  if (tested.status !== 0) throw new Error(`nginx does not start: ${tested.stderr}`)
  const env = { ...process.env, TZ: 'UTC' }
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await answering(url)

  return {
    url,
    port,
    mark: () => flushed(log),
    async since(mark) {
      const end = await flushed(log)
      const lines = end - mark
      return { count: lines / lineBytes, first: timeAt(log, mark), last: timeAt(log, end - lineBytes) }
    },
    async after(count) {
      while (statSync(log).size < count * lineBytes) await new Promise((resolve) => setTimeout(resolve, flushMs))
    },
    stop() {
      const ended = new Promise((resolve) => child.on('close', resolve))
      child.kill('SIGTERM')
      return ended
    },
  }
}

// `$msec` is Unix seconds with three decimals: all lines have one length, and the first and the last are found by counting.
const lineBytes = '1795593600.123\n'.length
const flushMs = 200

function configuration({ folder, port, log, changedAt }) {
  return `
daemon off;
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  log_format moment '$msec';
  map_hash_max_size 4194304;
  map_hash_bucket_size 128;
  map $time_iso8601 $second { "~^(.{19})" $1; }
  map $msec $fraction { "~([0-9]+)$" $1Z; }
  map $code $changed_at { default $second.$fraction; ${changedAt ? `include ${changedAt};` : ''} }
  access_log ${log} moment buffer=64k flush=${flushMs}ms;
  keepalive_requests 100000000;
  client_body_temp_path ${join(folder, 'body')};
  proxy_temp_path ${join(folder, 'proxy')};
  fastcgi_temp_path ${join(folder, 'fastcgi')};
  uwsgi_temp_path ${join(folder, 'uwsgi')};
  scgi_temp_path ${join(folder, 'scgi')};
  server {
    listen 127.0.0.1:${port} backlog=1024;
    default_type application/json;
    location = /ready { access_log off; return 204; }
    location ~ ^/v1/vouchers/(?<code>[^/]+)$ { return 200 '${voucher(false)}'; }
    location ~ ^/v1/vouchers/(?<code>[^/]+)/disable$ { return 200 '${voucher(false)}'; }
    location ~ ^/v1/vouchers/(?<code>[^/]+)/enable$ { return 200 '${voucher(true)}'; }
  }
}
`
}

// 1.6 kB, like a voucher of a campaign with a few redemptions and metadata, under the code of the call.
const voucher = (active) =>
  JSON.stringify({
    id: 'v_0123456789abcdef0123456789abcdef',
    code: '$code',
    campaign: 'Autumn mailing 2026',
    campaign_id: 'camp_0123456789abcdef0123456789',
    category: 'Newsletter',
    category_id: 'cat_0123456789abcdef0123456789',
    categories: [],
    type: 'DISCOUNT_VOUCHER',
    discount: { type: 'PERCENT', percent_off: 10, amount_limit: 5000, is_dynamic: false },
    gift: null,
    loyalty_card: null,
    start_date: '2026-01-01T00:00:00.000Z',
    expiration_date: '2026-12-31T23:59:59.000Z',
    validity_timeframe: null,
    validity_day_of_week: null,
    validity_hours: null,
    active,
    additional_info: null,
    metadata: { mailing: 'autumn', segment: 'returning customers', note: 'x'.repeat(380) },
    assets: {
      qr: { id: 'U2FsdGVkX1/0123456789', url: 'https://dl.example/api/v1/assets/qr/U2FsdGVkX10123456789' },
      barcode: { id: 'U2FsdGVkX1/9876543210', url: 'https://dl.example/api/v1/assets/barcode/U2FsdGVkX19876543210' },
    },
    is_referral_code: false,
    created_at: '2026-01-01T08:00:00.000Z',
    updated_at: '$changed_at',
    holder_id: 'cust_0123456789abcdef0123456789',
    redemption: {
      quantity: 3,
      redeemed_quantity: 1,
      object: 'list',
      url: '/v1/vouchers/$code/redemptions?page=1&limit=10',
    },
    publish: { object: 'list', count: 1, url: '/v1/vouchers/$code/publications?page=1&limit=10' },
    validation_rules_assignments: { object: 'list', data_ref: 'data', data: [], total: 0 },
    object: 'voucher',
  })

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answering(url) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(`${url}/ready`).catch(() => undefined)
    if (answer?.status === 204) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('nginx does not answer')
}

/** Returns the log's size in bytes once nginx has flushed its buffer. */
async function flushed(log) {
  for (let size = statSync(log).size; ; ) {
    await new Promise((resolve) => setTimeout(resolve, 3 * flushMs))
    const now = statSync(log).size
    if (now === size) return now
    size = now
  }
}

function timeAt(log, at) {
  const file = openSync(log, 'r')
  const bytes = Buffer.alloc(lineBytes)
  const isThere = at >= 0 && fstatSync(file).size >= at + lineBytes
  if (isThere) readSync(file, bytes, 0, lineBytes, at)
  closeSync(file)
  return isThere ? Number(bytes.toString()) : Number.NaN
}
