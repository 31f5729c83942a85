// `std::sync::mpsc`.

pub fn channel<T>() -> (Sender<T>, Receiver<T>);
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>);
#[derive(Debug)]
pub struct Sender<T>;
impl<T> Clone for Sender<T> { fn clone(&self) -> Self; }
impl<T> Sender<T> { fn send(&self, t: T) -> Result<(), SendError<T>>; }
#[derive(Debug)]
pub struct SyncSender<T>;
impl<T> Clone for SyncSender<T> { fn clone(&self) -> Self; }
impl<T> SyncSender<T> {
    fn send(&self, t: T) -> Result<(), SendError<T>>;
    fn try_send(&self, t: T) -> Result<(), TrySendError<T>>;
}
#[derive(Debug)]
pub struct Receiver<T>;
impl<T> Receiver<T> {
    fn try_recv(&self) -> Result<T, TryRecvError>;
    fn recv(&self) -> Result<T, RecvError>;
    fn recv_timeout(&self, timeout: crate::time::Duration) -> Result<T, RecvTimeoutError>;
    fn iter(&self) -> Iter<T>;
    fn try_iter(&self) -> Iter<T>;
}
pub struct Iter<T>;
impl<T> Iterator for Iter<T> { type Item = T; }
impl<T> IntoIterator for Receiver<T> { type Item = T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
impl<T> IntoIterator for &Receiver<T> { type Item = T; type IntoIter = Iter<T>; fn into_iter(self) -> Iter<T>; }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendError<T>(pub T);
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecvError;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryRecvError { Empty, Disconnected }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvTimeoutError { Timeout, Disconnected }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrySendError<T> { Full(T), Disconnected(T) }
