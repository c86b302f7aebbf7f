package io.flinkgpu;

import org.apache.flink.util.ExceptionUtils;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Appender;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Everything that is logged, at every level, while it stands in for the other appenders. */
final class CapturedLog extends AbstractAppender {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LogManager.getRootLogger();
    private final Level level = root.getLevel();
    private final List<Appender> others = List.copyOf(root.getAppenders().values());

    private CapturedLog() {
        super("captured", null, null, false, Property.EMPTY_ARRAY);
    }

    static CapturedLog startNew() {
        CapturedLog log = new CapturedLog();
        log.start();
        log.others.forEach(log.root::removeAppender);
        log.root.addAppender(log);
        Configurator.setRootLevel(Level.ALL);
        return log;
    }

    List<String> lines() {
        return lines;
    }

    void detach() {
        Configurator.setRootLevel(level);
        root.removeAppender(this);
        others.forEach(root::addAppender);
        stop();
    }

    @Override
    public void append(LogEvent event) {
        String thrown =
                event.getThrown() == null
                        ? ""
                        : ExceptionUtils.stringifyException(event.getThrown());
        lines.add(event.getMessage().getFormattedMessage() + " " + thrown);
    }
}
