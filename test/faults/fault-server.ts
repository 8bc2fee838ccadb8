// A process that serves the sandbox behind scripted faults until its stdin ends: `node fault-server.ts OPTIONS`, as JSON.
// Prints address, credentials and the address of its control endpoint as one line. Started by start-fault-server.ts.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { AppRequest } from '../../src/sandbox/http/app.ts'
import { type FaultName, faultKinds } from './fault-kinds.ts'
import { counted, dealerOf, noFaults } from './fault-plan.ts'
import { answerFaultily, answerHonestly } from './faulty-answer.ts'
import { openLedger } from './ledger.ts'
import type { FaultServerOptions, FaultServerState } from './start-fault-server.ts'
import { keyOf, type Operation, witnessedService } from './witnessed-service.ts'

interface Waiting extends Operation {
  number: number
  fault: FaultName | undefined
  response: ServerResponse
}

const http = process.getBuiltinModule('node:http')
const options = JSON.parse(process.argv[2] ?? '') as FaultServerOptions
const service = witnessedService(options)
const ledger = openLedger(options.ledger)
const dealer = dealerOf(options.plan)
const lookDealer = dealerOf(options.lookPlan ?? noFaults)
const offAtFirst = service.holdings().off

const arrived: string[] = []
const connections = new Set<Socket>()
const met: FaultName[] = []
const watchers = new Set<{ at: number; tell: () => void }>()
let reads = 0
let inFlight = 0
let beingRead = 0
let sickness: FaultName | undefined
let mostInFlight = 0
let waiting: Waiting[] = []

const server = http.createServer((request, response) => void take(request, response))
server.keepAliveTimeout = 75_000
server.on('connection', (socket) => {
  connections.add(socket)
  socket.once('close', () => connections.delete(socket))
})
const control = http.createServer((request, response) => void command(request, response))
await Promise.all([listening(server, 0), listening(control, 0)])
const port = portOf(server)
const url = `http://127.0.0.1:${port}`
const { credentials } = service
// It is killed in the end, and would leave its compiled code to no one.
process.getBuiltinModule('node:module').flushCompileCache()
process.stdin.resume().on('end', () => process.kill(process.pid))
process.stdout.write(`${JSON.stringify({ url, control: `http://127.0.0.1:${portOf(control)}`, credentials })}\n`)

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  beingRead += 1
  const asked = await plainRequest(request).catch(() => undefined)
  beingRead -= 1
  if (asked === undefined) return
  const key = keyOf(asked)
  if (key === undefined) {
    reads += 1
    const fault = lookDealer.deal(asked.path)
    if (fault !== undefined) {
      answerFaultily(response, fault, undefined)
      return
    }
    const [witnessed] = service.perform([{ key: '', request: asked }])
    if (witnessed) answerHonestly(response, witnessed.answer)
    return
  }
  const number = arrived.push(key)
  inFlight += 1
  mostInFlight = Math.max(mostInFlight, inFlight)
  response.on('close', () => {
    inFlight -= 1
  })
  const fault = sickness ?? dealer.deal(key)
  if (fault !== undefined) met.push(fault)
  for (const { at, tell } of watchers) if (at === number) tell()
  if (fault !== undefined && !faultKinds[fault].applies) {
    answerFaultily(response, fault, undefined)
    return
  }
  // Requests of one turn of the event loop share a commit, as in the sandbox itself.
  if (waiting.length === 0) setImmediate(performWaiting)
  waiting.push({ key, request: asked, number, fault, response })
}

function performWaiting(): void {
  const batch = waiting
  waiting = []
  const witnessed = service.perform(batch)
  const done = batch.map((one, index) => ({ ...one, ...(witnessed[index] as (typeof witnessed)[number]) }))
  ledger.write(
    done.flatMap(({ key, number, effect, fault }) =>
      effect === undefined ? [] : [{ key, request: number, effect, ...(fault && { fault }) }],
    ),
  )
  for (const { response, fault, answer } of done) {
    if (response.destroyed) continue
    if (fault === undefined) answerHonestly(response, answer)
    else answerFaultily(response, fault, answer)
  }
}

async function plainRequest(request: IncomingMessage): Promise<AppRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const { pathname: path, search } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const headers = request.headers as AppRequest['headers']
  return { method: request.method ?? '', path, query: search.slice(1), headers, body: Buffer.concat(chunks).toString() }
}

/**
 * The control endpoint: `/state`, `/gone`, `/unmute`, and at request N `/arrival?at=N`, `/signal?at=N&pid=N&signal=NAME`,
 * `/outage?at=N&ms=N`, `/overload?at=N&ms=N`, `/silence?at=N&ms=N`, `/mute?at=N&requests=N`.
 */
async function command(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const [at = 0, ms = 0, requests = 0, pid = 0] = ['at', 'ms', 'requests', 'pid'].map((name) =>
    Number(searchParams.get(name)),
  )
  await arrival(at, response)
  if (pathname === '/signal') send(pid, searchParams.get('signal') as NodeJS.Signals)
  if (pathname === '/mute') {
    sickness = 'stall'
    await arrival(arrived.length + requests, response)
  }
  if (pathname === '/unmute') sickness = undefined
  if (pathname === '/gone') await clientsGone()
  if (pathname === '/outage') await outage(ms)
  if (pathname === '/overload') {
    sickness = 'status-503'
    await sleep(ms)
    sickness = undefined
  }
  if (pathname === '/silence') {
    sickness = 'stall'
    await sleep(ms)
    sickness = undefined
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state()))
}

/** Resolves as soon as this request arrives; never once the one who asked for it has gone. */
async function arrival(at: number, asker: ServerResponse): Promise<void> {
  if (arrived.length >= at) return
  await new Promise<void>((tell) => {
    const watcher = { at, tell }
    watchers.add(watcher)
    asker.once('close', () => watchers.delete(watcher))
  })
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

function state(): FaultServerState {
  const { vouchers, off, events } = service.holdings()
  const holdings = { vouchers, switchedOff: off - offAtFirst, events }
  return {
    requests: arrived.length,
    reads,
    met: counted(met),
    left: dealer.left(),
    mostInFlight,
    arrived,
    holdings,
  }
}

/**
 * Waits until every client has closed its connections, and what they sent has been done.
 *
 * What a process sent before it was killed stays in the buffers of its sockets, and its last connections in the queue of
 * those that were not accepted yet. That queue keeps its order: once a new connection is accepted, all before it were.
 */
async function clientsGone(): Promise<void> {
  const last = connect(port, '127.0.0.1')
  await new Promise((resolve) => last.once('connect', resolve))
  while (![...connections].some(({ remotePort }) => remotePort === last.localPort)) await nextTurn()
  last.destroy()
  while (connections.size > 0 || beingRead > 0 || waiting.length > 0) await nextTurn()
}

async function outage(ms: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  await sleep(ms)
  await listening(server, port)
}

function listening(made: Server, wanted: number): Promise<void> {
  return new Promise((resolve, reject) => made.once('error', reject).listen(wanted, '127.0.0.1', resolve))
}

function portOf(made: Server): number {
  return (made.address() as AddressInfo).port
}
