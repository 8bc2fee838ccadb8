#!/usr/bin/env node
// What npm links to: its shims for Windows start what the first line names, and sh, which the first line of run.js names, is not there.
import './run.js'
