// A part of the rows for each of several processes: which part a row belongs to depends on the row alone.
import { createHash } from 'node:crypto'
import { usageError } from '../errors.ts'

/** The part with number `index`, counted from 0, of `of` parts. */
export interface Shard {
  index: number
  of: number
}

/** The variables in which schedulers number their tasks from 0, in the order in which they are looked at. */
export const shardVariables = [
  'JOB_COMPLETION_INDEX',
  'AWS_BATCH_JOB_ARRAY_INDEX',
  'CLOUD_RUN_TASK_INDEX',
  'SLURM_ARRAY_TASK_ID',
] as const

const mostShards = 10_000

/**
 * Reads `2/8`, or `auto/8` with the index from the environment of a scheduler.
 *
 * Throws `usage` for anything else, for an index that is not below the number of shards, and for `auto` where no
 * scheduler says which task this is.
 */
export function parseShard(given: string, env: Readonly<Record<string, string | undefined>>): Shard {
  const [, index = '', of = ''] = /^(auto|\d{1,5})\/(\d{1,5})$/.exec(given) ?? []
  const shards = Number(of)
  if (index === '' || shards < 1 || shards > mostShards) {
    throw usageError(`the shard "${given}" is not like 0/4 or auto/4`, 'shards are numbered from 0')
  }
  const found = index === 'auto' ? taskIndex(env) : { text: index, from: '--shard' }
  const number = /^\d{1,5}$/.test(found.text) ? Number(found.text) : Number.NaN
  if (number < shards) return { index: number, of: shards }
  throw usageError(
    `${found.from} says shard "${found.text}", which is not one of 0 to ${shards - 1}`,
    'shards are numbered from 0',
  )
}

function taskIndex(env: Readonly<Record<string, string | undefined>>): { text: string; from: string } {
  for (const variable of shardVariables) {
    const text = env[variable]
    if (text !== undefined) return { text, from: variable }
  }
  throw usageError(
    `--shard auto needs the number of this task in ${shardVariables.slice(0, -1).join(', ')} or ${shardVariables.at(-1)}`,
    'name the shard, as in --shard 0/4',
  )
}

/**
 * Gives the shard a key falls into: the first 48 bits of the SHA-256 of its UTF-8 bytes, modulo the number of shards.
 *
 * Anyone can recompute it; docs/bulk.md has test vectors.
 */
export function shardOf(key: string, shards: number): number {
  return createHash('sha256').update(key, 'utf8').digest().readUIntBE(0, 6) % shards
}
