import { PassThrough, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { writerTo } from '../../../src/output/write.ts'
import { slow } from './sinks.ts'

describe('writing to a stream', () => {
  test('a slow reader receives every byte', async () => {
    const { stream, text } = slow()
    const writer = writerTo(stream)

    for (let line = 0; line < 500; line++) await writer.write(`line ${line}\n`)
    await writer.finish()

    expect(text()).toBe(Array.from({ length: 500 }, (_, line) => `line ${line}\n`).join(''))
  })

  test('a write waits until the stream has accepted it', async () => {
    const taken = Promise.withResolvers<() => void>()
    const stream = new Writable({ write: (_chunk, _encoding, done) => taken.resolve(done) })
    let isWritten = false

    const writing = writerTo(stream)
      .write('x')
      .then(() => {
        isWritten = true
      })
    const done = await taken.promise
    const before = isWritten
    done()
    await writing

    expect(before).toBe(false)
    expect(isWritten).toBe(true)
  })

  test('a closed pipe rejects the write with the error of the stream', async () => {
    const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(closed) })
    const writer = writerTo(stream)

    const writing = writer.write('x')

    await expect(writing).rejects.toBe(closed)
    await writer.abandon()
    await expect(writer.write('y')).rejects.toBe(closed)
  })

  test('an aborted signal ends a write that the stream never accepts', async () => {
    const stop = new AbortController()
    const stream = new Writable({ write() {} })

    const writing = writerTo(stream, stop.signal).write('x')
    stop.abort('SIGTERM')

    await expect(writing).rejects.toBe('SIGTERM')
  })

  test('leaves no listener on the stream', async () => {
    const stream = new PassThrough().resume()
    const before = stream.listenerCount('error')

    for (let turn = 0; turn < 3; turn++) {
      const writer = writerTo(stream)
      await writer.write('x')
      await writer.finish()
    }

    expect(stream.listenerCount('error')).toBe(before)
  })
})
