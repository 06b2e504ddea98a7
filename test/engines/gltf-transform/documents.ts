/** Opens demo files as glTF-Transform documents. */
import { type Document, Logger, NodeIO } from '@gltf-transform/core';
import { EXTSkeletonHumanoid } from '../../../src/engines/gltf-transform/index.ts';
import { demoBytes } from '../../support/make/demo-files.ts';

const IO = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions([EXTSkeletonHumanoid]);

export async function documentOf(bytes: Uint8Array): Promise<Document> {
  const document = await IO.readBinary(bytes);
  return document.setLogger(new Logger(Logger.Verbosity.SILENT));
}

export async function demoDocument(name: string): Promise<Document> {
  return documentOf(demoBytes(name));
}

export async function bytesOf(document: Document): Promise<Uint8Array> {
  return IO.writeBinary(document);
}

/** Writes a document and reads it again. */
export async function roundTrip(document: Document): Promise<Document> {
  return documentOf(await bytesOf(document));
}
