package io.flinkgpu.state;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.cells.CellBytes;
import io.flinkgpu.exact.Digits;
import io.flinkgpu.exact.LongSum;

import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Formats 1 and 2 of partials. Columns follow each other; the same values give the same bytes.
 *
 * <pre>
 *   column          count, and unless it is 0: sum and extremes if they are kept, in format 2 the sum of
 *                   squares; in format 2 for each cell how many bytes it has, unsigned, and the bytes
 *   count           unsigned
 *   sum of integers signed, 128 bits
 *   sum of doubles  unsigned: digits * 8 + specials; and unless there are none: the first digit's bin (a
 *                   byte), a bit for each digit after the first that says whether it is not 0 (the
 *                   least bit of the first byte first), those that are not 0 (4 bytes each)
 *   sum of squares  like a sum of doubles, in bins of the SquareGrid and without specials
 *   extremes        integers: min, signed, and max - min, unsigned; doubles: both as ordered longs
 * </pre>
 *
 * Signed and unsigned numbers have 7 bits a byte, the least first; a set top bit says that more follow.
 * A signed one has its sign in the least bit (zigzag).
 */
final class PartialFormat {

    /** Without squares and cells. */
    static final int FIRST = 1;

    static final int SECOND = 2;

    /** Bins are numbered by a byte, and the last may carry. */
    private static final int MOST_DIGITS = 257;

    /** Of 128 bits with 7 a byte. */
    private static final int LAST_SHIFT = 126;

    private static final int SPECIAL_BITS = 3;
    private static final int SPECIALS = (1 << SPECIAL_BITS) - 1;

    private PartialFormat() {}

    static void write(ColumnPartial column, KeptColumn kept, DataOutputView target)
            throws IOException {
        writeWords(column, kept, target);
        if (!kept.hasCells()) {
            return;
        }
        CellBytes bytes = new CellBytes();
        for (int i = 0; i < kept.cells().size(); i++) {
            column.cell(i).read(bytes);
            writeLength(bytes.length(), target);
            target.write(bytes.array(), bytes.at(), bytes.length());
        }
    }

    private static void writeWords(ColumnPartial column, KeptColumn kept, DataOutputView target)
            throws IOException {
        writeUnsigned(0, column.count(), target);
        if (column.count() == 0) {
            return;
        }
        if (kept.sum()) {
            if (kept.isFloating()) {
                writeDigits(column.doubles().digits(), column.doubles().specials(), target);
            } else {
                writeSigned(column.integers().high(), column.integers().low(), target);
            }
        }
        if (kept.extremes()) {
            if (kept.isFloating()) {
                target.writeLong(column.min());
                target.writeLong(column.max());
            } else {
                writeSigned(column.min() >> 63, column.min(), target);
                writeUnsigned(0, column.max() - column.min(), target);
            }
        }
        if (kept.squares()) {
            writeDigits(column.squares().digits(), 0, target);
        }
    }

    static ColumnPartial read(KeptColumn kept, DataInputView source) throws IOException {
        ColumnPartial column = kept.empty();
        readWords(column, kept, source);
        if (!kept.hasCells()) {
            return column;
        }
        CellBytes bytes = new CellBytes();
        for (int i = 0; i < kept.cells().size(); i++) {
            byte[] cell = CountedBytes.read("a cell", readLength(source), source);
            if (cell.length > 0 && !column.cell(i).isCell(cell)) {
                throw CountedBytes.corrupt("a cell", "bytes=" + cell.length, null);
            }
            bytes.set(cell, 0, cell.length);
            column.cell(i).add(bytes);
        }
        return column;
    }

    private static void readWords(ColumnPartial column, KeptColumn kept, DataInputView source)
            throws IOException {
        long count = readUnsigned(source).low();
        if (count == 0) {
            return;
        }
        column.addCount(count);
        if (kept.sum()) {
            if (kept.isFloating()) {
                column.addSpecials(readDigits(source, column::addFloatingBin));
            } else {
                column.integers().add(readSigned(source));
            }
        }
        if (kept.extremes()) {
            if (kept.isFloating()) {
                column.addExtremes(source.readLong(), source.readLong());
            } else {
                long min = readSigned(source).low();
                column.addExtremes(min, min + readUnsigned(source).low());
            }
        }
        if (kept.squares()) {
            readDigits(source, column::addSquareBin);
        }
    }

    private static void writeDigits(Digits digits, int specials, DataOutputView target)
            throws IOException {
        int size = digits.size();
        writeUnsigned(0, (long) size << SPECIAL_BITS | specials, target);
        if (size == 0) {
            return;
        }
        target.writeByte(digits.firstBin());
        for (int first = 1; first < size; first += Byte.SIZE) {
            int present = 0;
            for (int i = first; i < Math.min(first + Byte.SIZE, size); i++) {
                present |= digits.digit(i) == 0 ? 0 : 1 << (i - first);
            }
            target.writeByte(present);
        }
        for (int i = 0; i < size; i++) {
            if (digits.digit(i) != 0) {
                target.writeInt(digits.digit(i));
            }
        }
    }

    /** Gives the specials. */
    private static int readDigits(DataInputView source, BinConsumer bins) throws IOException {
        long header = readUnsigned(source).low();
        long digits = header >>> SPECIAL_BITS;
        if (digits > MOST_DIGITS) {
            throw CountedBytes.corrupt("a sum", "digits=" + digits, null);
        }
        int size = (int) digits;
        if (size > 0) {
            int firstBin = source.readUnsignedByte();
            byte[] present = new byte[(size - 1 + Byte.SIZE - 1) / Byte.SIZE];
            source.readFully(present);
            bins.add(firstBin, source.readInt());
            for (int i = 0; i < size - 1; i++) {
                if ((present[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0) {
                    bins.add(firstBin + 1 + i, source.readInt());
                }
            }
        }
        return (int) header & SPECIALS;
    }

    private interface BinConsumer {
        void add(int bin, long amount);
    }

    /** Writes how many bytes follow. */
    static void writeLength(int length, DataOutputView target) throws IOException {
        writeUnsigned(0, length, target);
    }

    /** Reads how many bytes follow. */
    static int readLength(DataInputView source) throws IOException {
        LongSum length = readUnsigned(source);
        if (length.high() != 0 || length.low() < 0 || length.low() > Integer.MAX_VALUE) {
            throw CountedBytes.corrupt("a length", "bytes=" + length.low(), null);
        }
        return (int) length.low();
    }

    private static void writeSigned(long high, long low, DataOutputView target) throws IOException {
        long sign = high >> 63;
        writeUnsigned((high << 1 | low >>> 63) ^ sign, low << 1 ^ sign, target);
    }

    private static LongSum readSigned(DataInputView source) throws IOException {
        LongSum zigzag = readUnsigned(source);
        long high = zigzag.high();
        long low = zigzag.low();
        long sign = -(low & 1);
        return new LongSum(high >>> 1 ^ sign, (low >>> 1 | high << 63) ^ sign);
    }

    private static void writeUnsigned(long high, long low, DataOutputView target)
            throws IOException {
        while (high != 0 || low >>> 7 != 0) {
            target.writeByte((int) low | 0x80);
            low = low >>> 7 | high << 57;
            high >>>= 7;
        }
        target.writeByte((int) low);
    }

    private static LongSum readUnsigned(DataInputView source) throws IOException {
        long high = 0;
        long low = 0;
        int more;
        int shift = 0;
        do {
            more = source.readByte();
            if (shift > LAST_SHIFT) {
                throw CountedBytes.corrupt("a number", "bytes=" + (1 + shift / 7), null);
            }
            long bits = more & 0x7f;
            if (shift < Long.SIZE) {
                low |= bits << shift;
                high |= shift > 57 ? bits >>> (Long.SIZE - shift) : 0;
            } else {
                high |= bits << (shift - Long.SIZE);
            }
            shift += 7;
        } while (more < 0);
        return new LongSum(high, low);
    }
}
