// Opens what a user named for reading. A name may lead to anything: opening a FIFO waits for its writer, reading a device may
// never end, and Node waits for both in threads that no signal reaches.
import { type BigIntStats, close, constants, createReadStream, fstat, open, stat } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { oddKindOf } from '../folder.ts'

const [opened, closed] = [promisify(open), promisify(close)]
const statOf = (path: string) =>
  new Promise<BigIntStats>((resolve, reject) =>
    stat(path, { bigint: true }, (error, stats) => (error ? reject(error) : resolve(stats))),
  )
const fstatOf = (file: number) =>
  new Promise<BigIntStats>((resolve, reject) =>
    fstat(file, { bigint: true }, (error, stats) => (error ? reject(error) : resolve(stats))),
  )

// Undefined on Windows, which has neither FIFOs among files nor terminals that become the controlling one.
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants as Partial<typeof constants>

/** What a name leads to: an open file or pipe, or the kind of thing that cannot be an input. */
export type NamedFile =
  | { oddKind: NonNullable<ReturnType<typeof oddKindOf>> }
  | { stats: BigIntStats; bytes: AsyncGenerator<Buffer> }

/**
 * Opens a file, FIFO or pipe for reading, without waiting: a FIFO without a writer is open at once, and `bytes` waits for one.
 *
 * Iterating `bytes` closes it, however the iteration ends. What is open is examined, not only what the name led to before. Both
 * throw the error of the file system, and at any time the reason of the signal.
 */
export async function openNamed(path: string, signal?: AbortSignal): Promise<NamedFile> {
  signal?.throwIfAborted()
  // Before it is opened too: opening a device may already have an effect, such as rewinding a tape.
  const before = oddKindOf(await unlessStopped(statOf(path), signal))
  if (before !== undefined) return { oddKind: before }
  const opening = opened(path, (O_RDONLY ?? 0) | O_NONBLOCK | O_NOCTTY)
  const file = await unlessStopped(opening, signal, closeAgain)
  const stats = await fstatOf(file)
  const oddKind = oddKindOf(stats)
  if (oddKind !== undefined) {
    await closed(file)
    return { oddKind }
  }
  return { stats, bytes: piecesOf(stats.isFIFO() ? await pipeOf(file) : createReadStream('', { fd: file }), signal) }
}

/**
 * Reads a file or a pipe of at most so many bytes as `openNamed` opens it; what it is instead where it cannot be one.
 *
 * The size that a pipe reports says nothing, and a file may grow.
 */
export async function readNamed(
  path: string,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<{ text: string } | { oddKind: 'a folder' | 'a device' | 'too long' }> {
  const file = await openNamed(path, signal)
  if ('oddKind' in file) return file
  const pieces: Buffer[] = []
  let lengthBytes = 0
  for await (const piece of file.bytes) {
    pieces.push(piece)
    lengthBytes += piece.length
    if (lengthBytes > mostBytes) return { oddKind: 'too long' }
  }
  return { text: Buffer.concat(pieces).toString('utf8') }
}

/** Read by the event loop: a thread that reads a pipe cannot be called back. */
async function pipeOf(fd: number): Promise<Readable> {
  const { Socket } = await import('node:net')
  return new Socket({ fd, readable: true, writable: false })
}

async function* piecesOf(stream: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  if (signal) addAbortSignal(signal, stream)
  try {
    for await (const piece of stream) yield piece
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    // What is gone is not waited for after a stop.
    if (!stream.closed && !signal?.aborted) {
      await new Promise((resolve) => stream.once('close', resolve).on('error', resolve).destroy())
    }
  }
}

/** A file system that is gone answers nothing: the wait for it ends with the signal, and its thread with the process. */
function unlessStopped<T>(work: Promise<T>, signal?: AbortSignal, afterwards?: (value: T) => void): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    const settle = () => signal.removeEventListener('abort', stop)
    work.then(
      (value) => {
        settle()
        if (signal.aborted) afterwards?.(value)
        resolve(value)
      },
      (error) => {
        settle()
        reject(error)
      },
    )
  })
}

function closeAgain(file: number): void {
  close(file, () => {})
}
