/** Scenes of USD text for tests of UsdSkel. */
import { readFileSync } from 'node:fs';
import type { Issue } from '../../../../src/core/report/issue.ts';
import { readBindings, skelRoots } from '../../../../src/formats/usd/skel/bindings.ts';
import type { BoundPrim } from '../../../../src/formats/usd/skel/bound-prim.ts';
import { openStage } from '../../../../src/formats/usd/stage/open-stage.ts';
import type { Stage } from '../../../../src/formats/usd/stage/stage.ts';
import { parseUsda } from '../../../../src/formats/usd/text/parse-usda.ts';

/** A stage of the text of one layer; the header may be left out. */
export function stageOf(text: string): Stage {
  return openStage(parseUsda(text.startsWith('#usda') ? text : `#usda 1.0\n${text}`));
}

/** A stage of one text file. */
export function stageOfFile(path: string): Stage {
  return stageOf(readFileSync(path, 'utf8'));
}

/** The bound prims of the first SkelRoot, by their paths. */
export function boundPrims(stage: Stage): Map<string, BoundPrim> {
  const { bindings } = readBindings(stage, skelRoots(stage)[0]);
  return new Map(bindings.flatMap(({ prims }) => prims).map((bound) => [bound.prim, bound]));
}

export function messagesOf(issues: readonly Issue[]): string[] {
  return issues.map(({ message }) => message);
}
