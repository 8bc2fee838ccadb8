// Tests that no clock decides what the undo of a job switches. Source: docs/reliability.md#disable-and-delete.
import { expect, test } from 'vitest'
import { sized } from '../support/size.ts'
import { type UndoLoopOptions, undoLoop } from './undo-loop.ts'

const { rows, share } = sized({ quick: { rows: 160, share: 0 }, full: { rows: 2000, share: 0.1 } })
const isKilled = share > 0

// A clock that is far enough away to be noticed leaves nothing to undo; one that is only just wrong leaves some of it.
type Clocks = [string, Pick<UndoLoopOptions, 'habits' | 'jumpMs' | 'flags'>, 'all' | 'some or none' | 'none']
const rough: Clocks[] = [
  ['50 ms behind', { habits: { skewMs: -50 } }, 'some or none'],
  ['1.5 s behind', { habits: { skewMs: -1500 } }, 'none'],
  ['right, but the clock of this computer jumps ahead by an hour', { jumpMs: 3_600_000 }, 'some or none'],
]
const all: Clocks[] = [
  ...rough,
  ['right', {}, 'all'],
  ['1.5 s ahead', { habits: { skewMs: 1500 } }, 'none'],
  ['right, but its times name no zone', { habits: { hasNoZone: true } }, 'none'],
  ['right, but the clock of this computer jumps back by a second', { jumpMs: -1000 }, 'some or none'],
  ['1.5 s behind, and each voucher is read before', { habits: { skewMs: -1500 }, flags: ['--prove-change'] }, 'all'],
]

test.concurrent.each(sized({ quick: rough, full: all }))(
  'a job is undone without an error where the clock of the service is %s',
  async (_, clocks, undone) => {
    const { wronglyOn, silentlyOff, restored, exitCode, stderr } = await undoLoop({
      rows,
      seed: 3,
      share,
      isKilled,
      ...clocks,
    })

    expect({ wronglyOn, silentlyOff }, stderr).toEqual({ wronglyOn: [], silentlyOff: [] })
    // With faults a call takes long enough for such a time to be of it.
    if (undone === 'none' && !isKilled) expect([restored, exitCode]).toEqual([0, 6])
    // A second of doubt is possible everywhere but where each voucher was read before; whatever it leaves is announced.
    if (undone === 'all') expect(restored).toBeGreaterThan(0)
    if (restored < rows * 0.9) expect(exitCode).toBe(6)
  },
)
