package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the copies of one stream take: from the first of some that follow each other to the end of the
 * last, waiting for the link included. Copies of less than {@link #MIN_BYTES} alone are not timed: to mark
 * their ends takes as long as they do. The caller closes it; backend thread only.
 *
 * @param <M> a mark in what a stream does
 */
final class CopyTimes<M extends AutoCloseable> implements AutoCloseable {

    /** A few microseconds of the link. */
    static final long MIN_BYTES = 64 << 10;

    /** Spans that are timed until they are added up, so that marks do not grow without end. */
    private static final int MAX_SPANS = 16;

    /** How a stream is marked. */
    interface Marks<M> {

        /** A new mark, which is nowhere yet. */
        M open() throws BackendException;

        /** Puts a mark behind all that the stream was given. */
        void put(M mark) throws BackendException;

        /** The time between two marks that the stream has passed. */
        long nanos(M from, M to) throws BackendException;
    }

    private record Span<M>(M start, M end) {}

    private final Marks<M> marks;
    private final AtomicLong totalNanos;
    private final CloseStack resources = new CloseStack();
    private final List<Span<M>> spans = new ArrayList<>();
    private int ended;
    private boolean isOpen;

    /**
     * @param totalNanos what is timed is added to
     */
    CopyTimes(Marks<M> marks, AtomicLong totalNanos) {
        this.marks = marks;
        this.totalNanos = totalNanos;
    }

    /** Says that a copy is given to the stream next. */
    void beforeCopy(long bytes) throws BackendException {
        if (isOpen || bytes < MIN_BYTES || ended == MAX_SPANS) {
            return;
        }
        if (ended == spans.size()) {
            spans.add(new Span<>(resources.push(marks.open()), resources.push(marks.open())));
        }
        marks.put(spans.get(ended).start());
        isOpen = true;
    }

    /** Says that something else is given to the stream next. */
    void beforeOther() throws BackendException {
        if (isOpen) {
            isOpen = false;
            marks.put(spans.get(ended).end());
            ended++;
        }
    }

    /**
     * Says that the stream is waited for next. What cannot be marked is not timed, as the wait must not be left out, and
     * tells what is wrong.
     */
    void beforeWait() {
        try {
            beforeOther();
        } catch (BackendException e) {
            forget();
        }
    }

    /** Adds up what was timed; the stream has done all that it was given. */
    void add() throws BackendException {
        long nanos = 0;
        for (Span<M> span : spans.subList(0, ended)) {
            nanos += marks.nanos(span.start(), span.end());
        }
        forget();
        totalNanos.addAndGet(nanos);
    }

    /** Leaves out what was timed. */
    void forget() {
        ended = 0;
        isOpen = false;
    }

    @Override
    public void close() {
        resources.close();
    }
}
