import { expect, it } from 'vitest';
import { fitTargets } from '../../../../src/formats/usd/crate/fit-targets.ts';
import type { FieldValue, Spec } from '../../../../src/formats/usd/layer/layer.ts';
import { emptyListOp, explicitListOp } from '../../../../src/formats/usd/layer/list-op.ts';

function relationship(targets: FieldValue): Spec {
  return { type: 'relationship', fields: new Map([['targetPaths', targets]]) };
}

it('fitTargets: keeps targets that text files can contain', () => {
  const targets = { ...emptyListOp<string>('path'), prepended: ['/A', '/B.x'], deleted: ['/A'] };
  const spec = relationship(targets);
  expect(fitTargets(spec)).toBe(false);
  expect(spec.fields.get('targetPaths')).toBe(targets);
});

it('fitTargets: leaves out targets that are empty, in a variant or repeated', () => {
  const spec = relationship(explicitListOp<string>('path', ['/A', '', '/A{look=red}B', '/A']));
  expect(fitTargets(spec)).toBe(true);
  expect(spec.fields.get('targetPaths')).toEqual(explicitListOp<string>('path', ['/A']));
});
