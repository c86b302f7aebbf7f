package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: CopyTimes.
 */
class CopyTimesTest {

    private static final long LARGE = CopyTimes.MIN_BYTES;

    private final AtomicLong total = new AtomicLong(5);
    private final Stream stream = new Stream();
    private final CopyTimes<Mark> times = new CopyTimes<>(stream, total);

    @Test
    void copiesThatFollowEachOtherAreOneSpan() throws Exception {
        copy(LARGE, 30);
        copy(1, 2);
        other(1000);
        copy(LARGE, 400);
        other(1000);
        times.add();
        assertThat(total).hasValue(5 + 30 + 2 + 400);
        assertThat(stream.opened).isEqualTo(4);
    }

    @Test
    void smallCopiesAreNotMarked() throws Exception {
        copy(LARGE - 1, 30);
        other(1000);
        times.add();
        assertThat(total).hasValue(5);
        assertThat(stream.opened).isZero();
    }

    @Test
    void marksServeAgain() throws Exception {
        for (int batch = 0; batch < 10; batch++) {
            copy(LARGE, 3);
            other(1);
            times.add();
        }
        assertThat(total).hasValue(5 + 30);
        assertThat(stream.opened).isEqualTo(2);
        times.close();
        assertThat(stream.opened).isZero();
    }

    @Test
    void whatHasNoEndIsLeftOut() throws Exception {
        copy(LARGE, 3);
        times.add();
        copy(LARGE, 7);
        other(1);
        times.add();
        assertThat(total).hasValue(5 + 7);
    }

    /** Tables that are uploaded have no other work behind them. */
    @Test
    void whatIsWaitedForHasAnEnd() throws Exception {
        copy(LARGE, 3);
        times.beforeWait();
        times.add();
        assertThat(total).hasValue(5 + 3);
    }

    @Test
    void aMarkThatFailsKeepsNobodyFromWaiting() throws Exception {
        copy(LARGE, 3);
        stream.failing = true;
        times.beforeWait();
        times.add();
        assertThat(total).hasValue(5);
        stream.failing = false;
        copy(LARGE, 7);
        times.beforeWait();
        times.add();
        assertThat(total).hasValue(5 + 7);
    }

    @Test
    void whatWasForgottenIsNotAsked() throws Exception {
        copy(LARGE, 3);
        other(1);
        times.forget();
        times.add();
        assertThat(total).hasValue(5);
    }

    @Test
    void marksDoNotGrowWithoutEnd() throws Exception {
        for (int i = 0; i < 100; i++) {
            copy(LARGE, 1);
            other(1);
        }
        assertThat(stream.opened).isEqualTo(32);
        times.add();
        assertThat(total).hasValue(5 + 16);
    }

    @Test
    void aMarkThatFailsFailsTheCopy() {
        stream.failing = true;
        assertThatThrownBy(() -> times.beforeCopy(LARGE)).isInstanceOf(BackendException.class);
        times.close();
        assertThat(stream.opened).isZero();
    }

    private void copy(long bytes, long nanos) throws BackendException {
        times.beforeCopy(bytes);
        stream.now += nanos;
    }

    private void other(long nanos) throws BackendException {
        times.beforeOther();
        stream.now += nanos;
    }

    private static final class Mark implements AutoCloseable {

        private final Stream stream;
        private long at;

        Mark(Stream stream) {
            this.stream = stream;
            stream.opened++;
        }

        @Override
        public void close() {
            stream.opened--;
        }
    }

    /** A stream that takes the time it is told. */
    private static final class Stream implements CopyTimes.Marks<Mark> {

        private long now;
        private int opened;
        private boolean failing;

        @Override
        public Mark open() throws BackendException {
            return new Mark(this);
        }

        @Override
        public void put(Mark mark) throws BackendException {
            if (failing) {
                throw new BackendException("made up");
            }
            mark.at = now;
        }

        @Override
        public long nanos(Mark from, Mark to) throws BackendException {
            return to.at - from.at;
        }
    }
}
