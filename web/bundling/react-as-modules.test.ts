import { describe, expect, test } from 'vitest';
import { asModule } from './react-as-modules.ts';

describe('a module of the old kind', () => {
  test('keeps what it imports, exports and reads of its own exports', () => {
    const text = [
      '"use strict";',
      'var Scheduler = require("scheduler"),',
      '  React = require("react");',
      'exports.now = void 0;',
      'if (Scheduler.isLate) exports.now = function () { return React.now(); };',
      'exports.version = "1";',
      'exports.later = function () {',
      '  return exports.now() + 1;',
      '};',
    ].join('\n');
    const module = asModule('react', text);
    expect(module).toContain('import * as Scheduler from "scheduler";\nimport * as React from "react";\n');
    expect(module).toContain('export { exported_now as now, exported_version as version, exported_later as later };');
    expect(module).toContain('return exported_now() + 1;');
    expect(module).not.toContain('require(');
  });

  test('is refused when it is written in another way', () => {
    expect(() => asModule('react', 'module.exports = require("./other.js");')).toThrow('react');
    expect(() => asModule('react', 'Object.assign(exports, { version: "1" });')).toThrow('react');
    expect(() => asModule('react', 'let React = require("react");')).toThrow('react');
  });
});
