// Reads the output of strace: which system calls were made, on what, and in which order.
import { readFileSync } from 'node:fs'

export interface SystemCall {
  name: string
  /** The path, or the socket, of the first argument. */
  on: string
  /** The written data, all pieces joined; for a rename both paths, one after the other. */
  bytes: Buffer
  /** Positions in the order of all events: when the call was made, and when it returned. */
  calledAt: number
  returnedAt: number
}

/** The options of strace that `systemCallsIn` needs: all threads, paths of descriptors, all bytes in hex. */
export const tracing =
  'strace -f -y -xx -s 9000 -e signal=none -e trace=write,writev,pwrite64,fsync,fdatasync,?rename,?renameat,?renameat2'

const whole = /^(\d+) +(\w+)\((.*)\) += (-?\d+)/
const unfinished = /^(\d+) +(\w+)\((.*?)(?:,)? *<unfinished \.\.\.>$/
const resumed = /^(\d+) +<\.\.\. \w+ resumed>(.*)\) += (-?\d+)/

/** Returns the calls that succeeded, in the order in which they were made. */
export function systemCallsIn(path: string): SystemCall[] {
  const open = new Map<string, { name: string; text: string; calledAt: number }>()
  const calls: SystemCall[] = []
  const add = (name: string, text: string, result: string, calledAt: number, returnedAt: number) => {
    if (Number(result) >= 0) calls.push({ name, ...argumentsIn(text), calledAt, returnedAt })
  }
  for (const [place, line] of readFileSync(path, 'latin1').split('\n').entries()) {
    const [, , name = '', text = '', result = ''] = whole.exec(line) ?? []
    const [, brokenPid = '', brokenName = '', begun = ''] = unfinished.exec(line) ?? []
    const [, resumedPid = '', rest = '', lateResult = ''] = resumed.exec(line) ?? []
    if (name !== '') add(name, text, result, place, place)
    else if (brokenName !== '') open.set(brokenPid, { name: brokenName, text: begun, calledAt: place })
    const call = open.get(resumedPid)
    if (call === undefined) continue
    open.delete(resumedPid)
    add(call.name, call.text + rest, lateResult, call.calledAt, place)
  }
  return calls.toSorted((a, b) => a.calledAt - b.calledAt)
}

function argumentsIn(text: string): Pick<SystemCall, 'on' | 'bytes'> {
  const [, on = ''] = /^\d+<([^>]*)>/.exec(text) ?? []
  const pieces = text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)
  const hex = [...pieces].map(([, piece = '']) => piece.replaceAll('\\x', '')).join('')
  return { on: plain(on), bytes: Buffer.from(hex, 'hex') }
}

/** A decoded path: with -xx, strace writes paths in hex too. */
function plain(shown: string): string {
  return shown.startsWith('\\x') ? Buffer.from(shown.replaceAll('\\x', ''), 'hex').toString() : shown
}
