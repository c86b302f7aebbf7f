package io.flinkgpu.operator.search;

import io.flinkgpu.api.search.SetChange;
import io.flinkgpu.backend.plan.CorpusPlan;
import io.flinkgpu.column.RowValues;

/**
 * A set with its attributes as bytes: attributes, the number of elements, the first element, and of each
 * other one how much larger it is, as numbers of 7 bits a byte, the low ones first, of which all bytes but
 * the last have their high bit set. What comes after them is not part of it.
 */
final class PackedDocument {

    private PackedDocument() {}

    /** The bytes of a document that is not deleted. */
    static byte[] of(SetChange document) {
        int[] elements = document.elements();
        int bytes = size(document.attributes()) + size(elements.length);
        for (int i = 0; i < elements.length; i++) {
            bytes += size(i == 0 ? elements[0] : elements[i] - elements[i - 1]);
        }
        byte[] packed = new byte[bytes];
        int at = write(packed, 0, document.attributes());
        at = write(packed, at, elements.length);
        for (int i = 0; i < elements.length; i++) {
            at = write(packed, at, i == 0 ? elements[0] : elements[i] - elements[i - 1]);
        }
        return packed;
    }

    private static int size(int number) {
        return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(number) + 6) / 7);
    }

    private static int write(byte[] packed, int from, int number) {
        int at = from;
        int rest = number;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            packed[at++] = (byte) (rest | 0x80);
        }
        packed[at++] = (byte) rest;
        return at;
    }

    /** Reads documents into rows of changes. Not thread-safe. */
    static final class Reader {

        /** By the number of elements; made when needed. */
        private final RowValues[] lists;

        private byte[] packed;
        private int at;

        /**
         * @param maxElements of a document
         */
        Reader(int maxElements) {
            lists = new RowValues[maxElements + 1];
        }

        /** Sets elements and attributes of a row, until the next call. */
        void read(byte[] document, RowValues row) {
            packed = document;
            at = 0;
            row.putWord(CorpusPlan.ATTRIBUTES_COLUMN, next());
            int size = next();
            if (lists[size] == null) {
                lists[size] = new RowValues(size);
            }
            RowValues elements = lists[size];
            int element = 0;
            for (int i = 0; i < size; i++) {
                element += next();
                elements.putWord(i, element);
            }
            row.putList(CorpusPlan.ELEMENTS_COLUMN, elements);
        }

        private int next() {
            int number = 0;
            for (int shift = 0; ; shift += 7) {
                byte part = packed[at++];
                number |= (part & 0x7f) << shift;
                if (part >= 0) {
                    return number;
                }
            }
        }
    }
}
