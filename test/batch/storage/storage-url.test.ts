import { expect, it } from 'vitest';
import { isStorageUrl, joinStorageUrl, parseStorageUrl } from '../../../src/batch/storage/storage-url.ts';

it('parseStorageUrl: splits bucket and key, takes keys literally, and refuses URLs without a valid bucket', () => {
  expect(parseStorageUrl('s3://my.bucket/a b/%20#?.bvh')).toEqual({ bucket: 'my.bucket', key: 'a b/%20#?.bvh' });
  expect(['s3://bucket', 's3://bucket/', 's3://bucket//a'].map((url) => parseStorageUrl(url).key)).toEqual([
    '',
    '',
    'a',
  ]);
  for (const url of ['s3://', 's3:///key', 's3://Bucket/key', 's3://-x/key', 'https://bucket/key'])
    expect(() => parseStorageUrl(url)).toThrow(/has no valid bucket; expected a URL such as s3:\/\/bucket\/folder/);
});

it('joinStorageUrl: has one slash between folder and path, and ends with one for an empty path', () => {
  expect(['s3://b', 's3://b/', 's3://b/out//'].map((folder) => joinStorageUrl(folder, 'x'))).toEqual([
    's3://b/x',
    's3://b/x',
    's3://b/out/x',
  ]);
  expect(joinStorageUrl('s3://b/out', '')).toBe('s3://b/out/');
});

it('isStorageUrl: paths of files are not URLs', () => {
  expect(['s3://b/a', 's3:/b', './s3://b', 'C:\\a'].map(isStorageUrl)).toEqual([true, false, false, false]);
});
